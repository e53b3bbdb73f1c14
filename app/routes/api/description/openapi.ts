import { createHash } from "node:crypto";
import { z } from "zod";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { describeWebhooks } from "#app/server/openapi/describe-webhooks.server.ts";
import { apiDocument } from "#app/server/openapi/document.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { listOperations, type Operation } from "#app/server/openapi/operations.server.ts";

const answer = z.looseObject({
  openapi: z.literal("3.1.0"),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
  webhooks: z.record(z.string(), z.unknown()),
});

/** Rendered at the first request, once for a list of operations. */
const documents = new WeakMap<Operation[], { text: string; etag: string }>();

/** This API's description, for programs. */
export const { loader, action } = endpoint({
  GET: method({ summary: "Esta API, descrita em OpenAPI 3.1", answer, example: {} }, async ({ request }) => {
    const operations = listOperations();
    const made = documents.get(operations) ?? make(operations);
    documents.set(operations, made);
    const headers = { ETag: made.etag, "Cache-Control": "public, max-age=0, must-revalidate" };
    if (request.headers.get("if-none-match")?.includes(made.etag))
      return new Response(null, { status: 304, headers });
    return new Response(made.text, { headers: { ...headers, "Content-Type": "application/json" } });
  }),
});

function make(operations: Operation[]) {
  const text = JSON.stringify(apiDocument(operations, describeWebhooks()));
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}
