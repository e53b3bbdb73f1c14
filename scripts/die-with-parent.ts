/** Preloaded by a child program (`node --import`): ends it when the process that started it is gone, however that ended. */
process.on("disconnect", () => {
  // Not by `process.exit`: there sonic-boom flushes the log, and repeats for ever what fails because nobody reads it any more.
  process.kill(process.pid, "SIGKILL");
});
process.channel?.unref();
