import { sandboxEnvironment } from "#scripts/sandbox-env.ts";

/** Unit tests touch no database; modules that read the environment still find a whole one. */
Object.assign(process.env, sandboxEnvironment(3000, 3001), {
  NODE_ENV: "test",
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
  LOG_LEVEL: "silent",
  TRUSTED_PROXY_HOPS: "1",
});
