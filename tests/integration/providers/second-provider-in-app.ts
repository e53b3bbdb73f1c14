import { registerHooks } from "node:module";

/**
 * Loaded before the built app: registers the tests' second provider in it, as one more line of the providers' index
 * would. `SECOND_BANK_URL` is the address of its bank.
 */
const BUILD = new URL("../../../build/index.js", import.meta.url).pathname;
const from = JSON.stringify(import.meta.resolve("./second-provider.ts"));

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (new URL(url).pathname !== BUILD) return loaded;
    const line = `import { secondProvider } from ${from};\nproviders[secondProvider.name] = secondProvider;\n`;
    return { ...loaded, source: `${loaded.source}\n${line}` };
  },
});
