/**
 * How each optimisation of docs/request-pipeline.md is undone for `bench -- pipeline`: what is replaced in `build/index.js`,
 * since the product has no setting for each of them.
 */
export const UNDOS: Record<string, [pattern: RegExp, replacement: string][]> = {
  "direct responses": [[/\((\w+)\) => isFast \? pick\(\w+, \1\)\?\.module : void 0/, "() => undefined"]],
  "lazy request": [
    [
      /function toWebRequest\((\w+), (\w+), (\w+)\) \{/,
      `$&
        const hasBody = $1.method !== "GET" && $1.method !== "HEAD";
        return new Request(\`http://\${$1.headers.host}\${$3}\`, {
          method: $1.method,
          headers: headersOf($1.headers),
          signal: abortOnClose($2),
          ...(hasBody ? { body: createReadableStreamFromReadable($1), duplex: "half" } : {}),
        });`,
    ],
  ],
  "buffered responses": [[/function bufferedBody\(\w+\) \{/, "$& return undefined;"]],
  "reused buffer": [
    [
      /yield (buffer\d*)\.subarray\(0, bytesRead\)/,
      "yield Uint8Array.prototype.slice.call($1, 0, bytesRead)",
    ],
  ],
  "route narrowing": [
    [/isFast && speedUpRouteMatching\(\);/, ""],
    [/candidatesFor = routeNarrower\((\w+)\)/, "candidatesFor = () => $1"],
  ],
  "route cache": [[/let (\w+) = cache\d*\.get\(pathname\);/, "let $1;"]],
  "page cache": [[/(function pageCache\(\) \{[\s\S]*?if \()!await isUpToDate\(\)\)/, "$1true)"]],
  "buyers first": [[/(?<!function )scheduleRequests\(\)/, "void 0"]],
  "one screen at a time": [[/var renderQueued = serialQueue\(\)/, "var renderQueued = (task) => task()"]],
};

/** @throws if the build has no such code */
export function undo(source: string, name: string): string {
  return UNDOS[name]!.reduce((text, [pattern, replacement]) => {
    if (!pattern.test(text)) throw new Error(`the build lacks ${pattern}`);
    return text.replace(pattern, replacement);
  }, source);
}
