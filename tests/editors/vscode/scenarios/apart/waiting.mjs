// What never ends by itself.

export default () => new Promise(() => {});
