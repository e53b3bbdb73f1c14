import { enableCompileCache, flushCompileCache, registerHooks } from "node:module";

/**
 * Loaded first by `npm start` and its programs: what Node compiled once is kept in `.cache`, and drizzle-orm's hundred
 * files are found without Node parsing its package.json, 180 kB, anew for each of them: half a second a process.
 */
enableCompileCache(".cache/compiled");
// Node writes it as it ends, which a killed process never does.
setTimeout(flushCompileCache, 2000).unref();
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (!specifier.startsWith(".") || !parentURL?.includes("/node_modules/drizzle-orm/"))
      return next(specifier, context);
    // A module that `require`s has the ending cjs, and its path is not for us to resolve.
    if (!parentURL.endsWith(".js")) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
