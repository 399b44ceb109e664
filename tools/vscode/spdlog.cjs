// VS Code's logger, @vscode/spdlog, in plain JavaScript: the real one is compiled. Without a
// logger every output channel stays empty.

const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = 0;
    this.isBare = false;
  }

  write(level, message) {
    if (level < this.level) return;
    const line = this.isBare
      ? message
      : `${new Date().toISOString()} [${LEVELS[level]}] ${message}\n`;
    try {
      fs.appendFileSync(this.file, line);
    } catch {
      // The folder of a window that was closed is gone. There is nobody left to tell.
    }
  }

  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.isBare = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

async function create(name, file) {
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  return new Logger('', name, file);
}

// It is imported as an ES module, which sees as names only what is assigned in just this way.
exports.version = 11100;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
