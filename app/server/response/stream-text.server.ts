import { awaitFirstPiece } from "#app/server/response/await-first-piece.ts";
import { pullStream } from "#app/server/response/pull-stream.server.ts";

/** Streams text as it is generated, at the client's pace. @throws what making its first piece does */
export async function streamText(
  pieces: AsyncGenerator<string>,
  headers: Record<string, string>,
): Promise<Response> {
  const encoder = new TextEncoder();
  const body = pullStream(await awaitFirstPiece(pieces), (piece) => encoder.encode(piece));
  return new Response(body, { headers: { "Cache-Control": "no-store", ...headers } });
}
