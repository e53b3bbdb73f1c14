import type { App } from "#tests/support/app.ts";

/** An upload as the API tells of it. */
export type Upload = {
  id: string;
  name: string;
  size: number;
  received: number;
  part_size: number;
  content_type: string | null;
  ready_at: string | null;
};

type Client = { app: App; headers: Record<string, string> };
type Announced = { product_id: number; name: string; size: number; for?: string; replaces?: string };

export async function announceFile({ app, headers }: Client, announced: Announced): Promise<Upload> {
  const answer = await app.fetch("/api/uploads", {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(announced),
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json() as Promise<Upload>;
}

export function sendPart(
  { app, headers }: Client,
  { id }: { id: string },
  offset: number,
  part: Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const path = `/api/uploads/${id}?offset=${offset}`;
  return app.fetch(path, {
    method: "PUT",
    headers: { ...headers, "Content-Type": "application/octet-stream" },
    body: part,
  });
}

/** A whole file by the API, in parts. */
export async function sendFile(
  client: Client,
  announced: Omit<Announced, "size">,
  content: Uint8Array<ArrayBuffer>,
): Promise<Upload> {
  let upload = await announceFile(client, { ...announced, size: content.length });
  while (!upload.ready_at) {
    const part = content.subarray(upload.received, upload.received + upload.part_size);
    const answer = await sendPart(client, upload, upload.received, part);
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    upload = (await answer.json()) as Upload;
  }
  return upload;
}
