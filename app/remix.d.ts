// Loader and action types follow the single-fetch flag of remix.config.js: dates stay dates, `data()` is unwrapped.
import "@remix-run/server-runtime";

declare module "@remix-run/server-runtime" {
  interface Future {
    v3_singleFetch: true;
  }
}
