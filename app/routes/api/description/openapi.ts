import { z } from "zod";
import { endpoint } from "#app/server/api/endpoint.server.ts";
import { describeWebhooks } from "#app/server/openapi/describe-webhooks.server.ts";
import { apiDocument } from "#app/server/openapi/document.server.ts";
import { method } from "#app/server/openapi/method.server.ts";
import { listOperations, type Operation } from "#app/server/openapi/operations.server.ts";
import { type CachedPage, cacheJson, sendCachedPage } from "#app/server/pages/cached-page.server.ts";

const answer = z.looseObject({
  openapi: z.literal("3.1.0"),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
  webhooks: z.record(z.string(), z.unknown()),
});

/** Rendered at the first request, once for a list of operations. */
const documents = new WeakMap<Operation[], CachedPage>();

/** This API's description, for programs. */
export const { loader, action } = endpoint({
  GET: method({ summary: "Esta API, descrita em OpenAPI 3.1", answer, example: {} }, async ({ request }) => {
    const operations = listOperations();
    const made = documents.get(operations) ?? cacheJson(apiDocument(operations, describeWebhooks()));
    documents.set(operations, made);
    return sendCachedPage(made, request);
  }),
});
