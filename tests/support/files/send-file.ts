import type { PictureAnswer } from "#app/domain/picture/picture-json.server.ts";
import type { PictureUse } from "#app/kit/files/pictures.ts";
import type { App } from "#tests/support/app.ts";
import { until } from "#tests/support/until.ts";

/** An upload as the API returns it. */
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

/** Sends a picture by the API, and does not wait for it. @returns its id */
export async function sendPicture(
  client: Client,
  location: PictureUse,
  bytes: Uint8Array<ArrayBuffer>,
  name = "foto.jpg",
): Promise<string> {
  const answer = await client.app.fetch("/api/pictures", {
    method: "POST",
    headers: { ...client.headers, "Content-Type": "application/json" },
    body: JSON.stringify({ place: location, name, size: bytes.byteLength }),
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  let upload = (await answer.json()) as Upload;
  while (!upload.ready_at) {
    const part = bytes.slice(upload.received, upload.received + upload.part_size);
    upload = (await (await sendPart(client, upload, upload.received, part)).json()) as Upload;
  }
  return upload.id;
}

/** How a picture is doing. */
export async function fetchPicture({ app, headers }: Client, id: string): Promise<PictureAnswer> {
  return (await (await app.fetch(`/api/pictures/${id}`, { headers })).json()) as PictureAnswer;
}

/** Sends a picture and waits until it is ready or refused. */
export async function preparedPicture(
  client: Client,
  location: PictureUse,
  bytes: Uint8Array<ArrayBuffer>,
  name?: string,
): Promise<PictureAnswer> {
  const id = await sendPicture(client, location, bytes, name);
  return donePicture(client, id);
}

export async function donePicture(client: Client, id: string): Promise<PictureAnswer> {
  const done = async () => {
    const picture = await fetchPicture(client, id);
    return picture.state === "ready" || picture.state === "failed" ? picture : null;
  };
  // Page requests have priority, and a busy machine may delay this.
  return until(done, { every: 100 });
}
