import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { ga4Routes, kwaiRoutes, metaRoutes, tiktokRoutes } from "./advertisers.ts";
import { controlRoutes } from "./control.ts";
import { EMPTY_INBOX_PAGE, newestTo } from "./inbox.ts";
import { cademiRoutes, memberkitRoutes } from "./member-areas.ts";
import { mercadopagoRoutes } from "./mercadopago/routes.ts";
import { sandboxPage } from "./page.ts";
import { pushinpayRoutes } from "./pushinpay.ts";
import { receiverRoutes } from "./receiver.ts";
import { finishRefundLater } from "./refunds.ts";
import { resendRoutes } from "./resend.ts";
import { utmifyRoutes } from "./utmify.ts";
import { wooviRoutes } from "./woovi/routes.ts";
import { createWorld, type World } from "./world.ts";

/**
 * - `port`: 0 is any free one.
 * - `host`: the address to listen on; by default only this machine.
 * - `appUrl`: the shop's address, for the sign-in's redirect and for links back to its pages.
 * - `dataDir`: where charges are stored across restarts; absent, they are not.
 */
export interface SandboxOptions {
  port: number;
  host?: string;
  appUrl: string;
  dataDir?: string;
}

export interface Sandbox {
  /** `http://localhost:<port>`, without a trailing slash. */
  url: string;
  close(): Promise<void>;
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#8a6d3b"/><path d="M4 11h8M5 8h6M6 5h4" stroke="#fff" stroke-width="1.5"/></svg>`;

/**
 * Starts the outside services on one port: `/pushinpay/api`, `/woovi`, `/mercadopago`, `/utmify`, `/resend`, `/identity`, `/receiver`, `/meta`,
 * `/ga4`, `/tiktok`, `/kwai`, `/cademi`, `/memberkit`, and `/control` for all of them.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { port, host = "127.0.0.1", dataDir } = options;
  const server = createServer();
  await listen(server, port, host);
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const world = createWorld(dataDir);
  // The issuer's name contains the port, which is only known now.
  server.on("request", routes(world, url, new URL(options.appUrl).origin));
  for (const transaction of world.transactions.list()) {
    for (const refund of transaction.refunds)
      if (refund.status === "processing") finishRefundLater(world, transaction, refund);
  }

  return {
    url,
    async close() {
      world.time.cancelAll();
      world.snapshot.flush();
      const closed = new Promise((resolve) => server.close(resolve));
      // Keep-alive connections would keep the server open until the other side closes them.
      server.closeAllConnections();
      await closed;
    },
  };
}

type Identity = ReturnType<typeof import("./identity.ts").identityRoutes>;

function routes(world: World, url: string, appUrl: string) {
  const { time, calls, faults, transactions, webhooks, orders, arrivals, settings } = world;
  const { conversions, memberships } = world;
  // Created at the first sign-in: its library and its key take longer than all the rest of the start.
  let identity: Promise<Identity> | undefined;
  const openIdentity = () => {
    identity ??= import("./identity.ts").then(({ identityRoutes }) =>
      identityRoutes({ url, appUrl, faults, settings: settings.identity }),
    );
    return identity;
  };
  world.onReset(() => void identity?.then(({ reset }) => reset()));
  const app = express();
  app.disable("x-powered-by");
  app.get("/healthz", (_request, response) => {
    response.type("text/plain").send("ok");
  });
  app.get("/", (_request, response) => {
    response.type("html").send(sandboxPage(world));
  });
  app.get("/inbox", (request, response) => {
    const mail = newestTo(world, String(request.query.to ?? ""));
    if (mail) response.redirect(`/control/emails/${mail.id}/html`);
    else response.type("html").send(EMPTY_INBOX_PAGE);
  });
  // For every page: browsers request it by themselves, also on the identity provider's pages.
  app.get("/favicon.ico", (_request, response) => {
    response.type("image/svg+xml").set("Cache-Control", "max-age=86400").send(ICON);
  });
  app.use(
    "/pushinpay/api",
    pushinpayRoutes({ time, calls, faults, transactions, webhooks, settings: settings.pushinpay }),
  );
  app.use(
    "/woovi",
    wooviRoutes({ time, faults, transactions, webhooks, settings: settings.woovi, keys: world.wooviKeys }),
  );
  app.use(
    "/mercadopago",
    mercadopagoRoutes({
      time,
      faults,
      transactions,
      webhooks,
      settings: settings.mercadopago,
      onReset: world.onReset,
    }),
  );
  app.use("/utmify", utmifyRoutes({ faults, orders }));
  app.use("/resend", resendRoutes({ time, faults, state: world.resend, settings: settings.resend }));
  app.use("/receiver", receiverRoutes({ faults, arrivals }));
  const advertiser = { time, faults, conversions };
  app.use("/meta", metaRoutes(advertiser));
  app.use("/ga4", ga4Routes(advertiser));
  app.use("/tiktok", tiktokRoutes(advertiser));
  app.use("/kwai", kwaiRoutes(advertiser));
  app.use("/cademi", cademiRoutes({ faults, memberships }));
  app.use("/memberkit", memberkitRoutes({ faults, memberships }));
  app.use("/identity", (request, response, next) => {
    openIdentity().then(({ router }) => router(request, response, next), next);
  });
  app.use("/control", controlRoutes(world, appUrl));
  app.use(answerError);
  return app;
}

const answerError: express.ErrorRequestHandler = (error, _request, response, _next) => {
  const status = Number(error.status ?? error.statusCode) || 500;
  if (status >= 500) console.error(error);
  if (response.headersSent) return response.destroy();
  response.status(status).json({ message: status >= 500 ? "Server Error" : String(error.message) });
};

function listen(server: Server, port: number, host: string) {
  return new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** The only code of the sandbox that reads the environment: run directly, it serves until stopped. */
async function main() {
  const { SANDBOX_PORT = "3001", APP_URL = "http://localhost:3000", DATA_DIR } = process.env;
  const sandbox = await startSandbox({
    port: Number(SANDBOX_PORT),
    appUrl: APP_URL,
    dataDir: DATA_DIR,
  });
  const stop = () => {
    void sandbox.close().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  console.log(`sandbox pronto em ${sandbox.url}`);
}

if (import.meta.main) await main();
