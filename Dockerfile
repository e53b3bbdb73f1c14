# Built with every tool, run with what running needs: `npm run image-check` says what that weighs.
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
ENV NODE_ENV=production PORT=3000
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY --from=build /app/build ./build
COPY --from=build /app/public ./public
# Migrations, backup and restore run from source: Node reads TypeScript itself.
COPY app ./app
COPY drizzle ./drizzle
COPY scripts/migrate.ts scripts/backup.ts scripts/restore.ts scripts/postgres.ts scripts/ports.ts scripts/start-environment.ts scripts/sandbox-env.ts ./scripts/
COPY scripts/backup ./scripts/backup
COPY scripts/restore-old ./scripts/restore-old
# A volume that is mounted here belongs to whom this folder does.
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 3000
# Says farewell first, so that a proxy sends new requests elsewhere; SIGTERM stops at once.
STOPSIGNAL SIGUSR2
HEALTHCHECK --interval=5s --timeout=4s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://localhost:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, so that a stop reaches it: npm and shells do not pass a signal on and wait.
# The other two: `node build/worker.js` and `node scripts/migrate.ts`.
CMD ["node", "--initial-old-space-size=128", "node_modules/@remix-run/serve/dist/cli.js", "./build/index.js"]
