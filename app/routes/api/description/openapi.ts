import { createHash } from "node:crypto";
import { z } from "zod";
import { endpoint } from "#app/web/api.server.ts";
import { apiDocument } from "#app/web/openapi/document.server.ts";
import { method } from "#app/web/openapi/method.server.ts";
import { operations } from "#app/web/openapi/operations.server.ts";
import { sentMessages } from "#app/web/openapi/webhooks.server.ts";

const answer = z.looseObject({
  openapi: z.literal("3.1.0"),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
  webhooks: z.record(z.string(), z.unknown()),
});

/** Made at the first request; a process's routes stay what they are. */
let made: { text: string; etag: string } | undefined;

/** This API's description, for programs. */
export const { loader, action } = endpoint({
  GET: method({ summary: "Esta API, descrita em OpenAPI 3.1", answer, example: {} }, async ({ request }) => {
    made ??= make();
    const headers = { ETag: made.etag, "Cache-Control": "public, max-age=0, must-revalidate" };
    if (request.headers.get("if-none-match")?.includes(made.etag))
      return new Response(null, { status: 304, headers });
    return new Response(made.text, { headers: { ...headers, "Content-Type": "application/json" } });
  }),
});

function make() {
  const text = JSON.stringify(apiDocument(operations(), sentMessages()));
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}
