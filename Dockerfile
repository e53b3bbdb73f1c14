# Built with all tools, run with production dependencies only: `npm run image-check` reports the size.
FROM node:24-slim AS build
WORKDIR /app
ENV NODE_ENV=development
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-slim AS packages
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
COPY scripts/prune-packages.ts ./
RUN npm ci --omit=dev && node prune-packages.ts node_modules

FROM node:24-slim AS run
WORKDIR /app
# By default glibc keeps what each thread has freed for that thread: 20 MB of V8's compilers. The options of the commands below
# are explained in scripts/program.ts.
ENV NODE_ENV=production PORT=3000 MALLOC_ARENA_MAX=2
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY --from=build /app/build ./build
COPY --from=build /app/public ./public
# Migrations, backup and restore run from source: Node strips the types itself.
COPY app ./app
COPY drizzle ./drizzle
COPY scripts/migrate.ts scripts/backup.ts scripts/restore.ts scripts/erased.ts scripts/retry-mails.ts scripts/postgres.ts scripts/ports.ts scripts/start-environment.ts scripts/sandbox-env.ts ./scripts/
COPY scripts/backup ./scripts/backup
COPY scripts/restore-old ./scripts/restore-old
# A volume mounted here takes the owner of this folder.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 3000
# Announces the shutdown first, so that a proxy sends new requests elsewhere; SIGTERM stops at once.
STOPSIGNAL SIGUSR2
HEALTHCHECK --interval=5s --timeout=4s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, so that it receives the stop signal: npm and shells do not forward it.
# The other two programs: the worker, with the command of compose.yaml, and `node scripts/migrate.ts`.
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=100", "node_modules/@remix-run/serve/dist/cli.js", "./build/index.js"]
