/**
 * Baseline for remix-serve: an app of three routes, two of which answer one word. Hand-written equivalent of `remix build`.
 */
const okModule = { loader: () => new Response("ok", { headers: { "Content-Type": "text/plain" } }) };

export const routes = {
  root: { id: "root", path: "", module: { default: () => null } },
  index: { id: "index", parentId: "root", index: true, module: okModule },
  healthz: { id: "healthz", parentId: "root", path: "healthz", module: okModule },
};
export const entry = { module: { default: () => new Response("") } };
export const assets = { routes: {}, entry: { imports: [], module: "" }, url: "", version: "" };
export const future = { v3_singleFetch: true };
export const assetsBuildDirectory = "public/build";
export const publicPath = "/build/";
export const mode = "production";
export const isSpaMode = false;
