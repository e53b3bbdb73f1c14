/** Preloaded by a child program (`node --import`): ends it when the process that started it is gone, however that ended. */
process.on("disconnect", () => process.exit(1));
process.channel?.unref();
