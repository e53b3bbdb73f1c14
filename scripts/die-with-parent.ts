/** Loaded before a child program (`node --import`): ends it when the process that started it is gone, however it went. */
process.on("disconnect", () => process.exit(1));
process.channel?.unref();
