import { pullStream } from "#app/server/response/pull-stream.server.ts";

/** Streams text as it is generated, at the client's pace. */
export function streamText(pieces: AsyncGenerator<string>, headers: Record<string, string>): Response {
  const encoder = new TextEncoder();
  const body = pullStream(pieces, (piece) => encoder.encode(piece));
  return new Response(body, { headers: { "Cache-Control": "no-store", ...headers } });
}
