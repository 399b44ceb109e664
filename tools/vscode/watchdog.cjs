// VS Code's native-watchdog in plain JavaScript: the real one is compiled. It ends a process
// whose parent is gone, so that nothing is left running when VS Code is killed.

const LOOK_AGAIN_MS = 3000;
const PARENT_IS_GONE = 87;

exports.start = (parent) => {
  const look = () => {
    try {
      process.kill(parent, 0);
    } catch {
      process.exit(PARENT_IS_GONE);
    }
  };
  setInterval(look, LOOK_AGAIN_MS).unref();
};
