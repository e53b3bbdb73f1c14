import { readFileSync } from "node:fs";
import express, { type Response } from "express";
import type { Faults } from "../../faults.ts";
import { escapeHtml } from "../../html.ts";
import type { MercadoPagoSettings } from "../settings.ts";

interface Parts {
  faults: Faults;
  settings: MercadoPagoSettings;
}

/** Label and `autocomplete` of a card's fields. */
const FIELDS = new Map([
  ["cardNumber", { label: "Número do cartão", autocomplete: "cc-number" }],
  ["expirationDate", { label: "Validade", autocomplete: "cc-exp" }],
  ["securityCode", { label: "Código de segurança", autocomplete: "cc-csc" }],
]);

const SCRIPT = "text/javascript";
const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/**
 * What the shop's page loads from Mercado Pago: its script, the frames with the card's fields and the fraud script. The
 * frames are on another origin than the script, `127.0.0.1` and `localhost`, so that the page cannot read them.
 */
export function sdkRoutes({ faults, settings }: Parts): express.Router {
  const router = express.Router();
  const at = (route: string) => faults.arrive("mercadopago", route);
  router.get("/sdk/js/v2", at("sdk"), (_request, response) => {
    if (!settings.hasSdk) return response.status(503).type("text/plain").send("Service Unavailable");
    send(response, SCRIPT, read("sdk.js"));
  });
  router.get("/v2/security.js", at("security"), (_request, response) => {
    send(response, SCRIPT, read("security.js"));
  });
  // A browser that sends a header of its own asks first.
  router.options("/fields/health", (_request, response) => {
    response
      .set({ "access-control-allow-origin": "*", "access-control-allow-headers": "*" })
      .status(204)
      .end();
  });
  router.get("/fields/health", at("fields"), (_request, response) => {
    response.set("access-control-allow-origin", "*");
    send(response, "text/plain", "ok");
  });
  router.get("/fields/field.js", (_request, response) => send(response, SCRIPT, read("field.js")));
  router.get("/fields/field.css", (_request, response) => send(response, "text/css", read("field.css")));
  router.get("/fields/:type", (request, response, next) => {
    const field = FIELDS.get(request.params.type);
    if (!field) return next();
    response.set(
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'",
    );
    send(response, "text/html", fieldPage(field.label, field.autocomplete));
  });
  return router;
}

function send(response: Response, type: string, body: string) {
  response.set("cache-control", "no-store").type(type).send(body);
}

function fieldPage(label: string, autocomplete: string) {
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<title>${escapeHtml(label)}</title>
<link rel="stylesheet" href="field.css">
</head>
<body>
<input type="text" inputmode="numeric" autocomplete="${autocomplete}" aria-label="${escapeHtml(label)}">
<script src="field.js"></script>
</body>
</html>
`;
}
