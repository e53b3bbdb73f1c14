import type { SentPicture } from "#app/domain/picture/picture-json.server.ts";
import type { PicturePlace } from "#app/kit/files/pictures.ts";
import type { App } from "#tests/support/app.ts";
import { sendPart, type Upload } from "#tests/support/send-file.ts";
import { until } from "#tests/support/until.ts";

type Client = { app: App; headers: Record<string, string> };

/** Sends a picture by the API, and does not wait for it. @returns its id */
export async function sendPicture(
  client: Client,
  place: PicturePlace,
  bytes: Uint8Array<ArrayBuffer>,
  name = "foto.jpg",
): Promise<string> {
  const answer = await client.app.fetch("/api/pictures", {
    method: "POST",
    headers: { ...client.headers, "Content-Type": "application/json" },
    body: JSON.stringify({ place, name, size: bytes.byteLength }),
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
export async function lookAtPicture({ app, headers }: Client, id: string): Promise<SentPicture> {
  return (await (await app.fetch(`/api/pictures/${id}`, { headers })).json()) as SentPicture;
}

/** Sends a picture and waits until it is ready or refused. */
export async function preparedPicture(
  client: Client,
  place: PicturePlace,
  bytes: Uint8Array<ArrayBuffer>,
  name?: string,
): Promise<SentPicture> {
  const id = await sendPicture(client, place, bytes, name);
  return donePicture(client, id);
}

export async function donePicture(client: Client, id: string): Promise<SentPicture> {
  const done = async () => {
    const picture = await lookAtPicture(client, id);
    return picture.state === "ready" || picture.state === "failed" ? picture : null;
  };
  // Whoever waits for a page goes first, and a busy machine may let this wait long.
  return until(done, { seconds: 60 });
}
