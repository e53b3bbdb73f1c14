/** Preloaded by a child program (`node --import`): ends it when the process that started it is gone, however that ended. */
process.on("disconnect", () => {
  // At once: nobody is left who waits for an orderly end.
  process.kill(process.pid, "SIGKILL");
});
process.channel?.unref();
