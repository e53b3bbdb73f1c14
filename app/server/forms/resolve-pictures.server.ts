import { receivePart } from "#app/domain/content/receive-part.server.ts";
import { beginPicture } from "#app/domain/picture/begin-picture.server.ts";
import { findPicture } from "#app/domain/picture/find-picture.server.ts";
import { type PictureAnswer, toPictureJson } from "#app/domain/picture/picture-json.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import type { PictureUse } from "#app/kit/files/pictures.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { throttle } from "#app/server/limits/throttle.server.ts";

/** How long saving a form waits for its pictures: longer than processing one takes. */
const MAX_WAIT = 8 * SECOND;
const POLL_INTERVAL = 150;

/** A picture field, alone or in a row, and the name of its file: `image_url`, `orderBumps[0].image_url_file`. */
const FILE_FIELD =
  /^(?:(?:orderBumps|upsells)\[\d{1,3}\]\.)?(?:image_url|banner_image_url|brand_logo_url|logo_url)_file$/;

/** The use of a field's picture, by the field's name; by default a product's. */
const USES: [fieldName: RegExp, use: PictureUse][] = [
  [/^orderBumps/, "bump"],
  [/^upsells/, "offer"],
  [/^banner/, "banner"],
  [/logo_url/, "logo"],
];

/**
 * Replaces the pictures that were sent with a form, or uploaded before and named in it, by their addresses, and removes
 * the files from `form`. Waits for pictures being processed: an unfinished one is never saved.
 * @returns errors by field: for an unfinished picture the form keeps its id
 */
export async function resolvePictures(
  request: Request,
  sellerId: string,
  form: FormData,
  files: Map<string, File>,
): Promise<Record<string, string[]>> {
  const until = Date.now() + MAX_WAIT;
  const errors = new Map<string, string[]>();
  const names = new Set([...form.keys(), ...files.keys()].filter((name) => FILE_FIELD.test(name)));
  const sent: { name: string; id: string | null }[] = [];
  // One after the other: a seller sends few files at once.
  for (const name of names) sent.push({ name, id: await beginUpload(name) });
  for (const { name, id } of sent) if (id) await resolvePicture(name, id);
  return Object.fromEntries(errors);

  async function beginUpload(name: string): Promise<string | null> {
    const file = files.get(name);
    if (!file) return String(form.get(name)) || null;
    return collectError(name, async () => {
      await throttle("announce-picture", request, sellerId);
      const id = await beginPicture(sellerId, { use: pictureUseOf(name), name: file.name, size: file.size });
      const body = () => file.stream() as unknown as AsyncIterable<Uint8Array>;
      await receivePart(sellerId, id, { offset: 0, length: file.size }, body);
      return id;
    });
  }

  async function resolvePicture(name: string, id: string): Promise<void> {
    const picture = await collectError(name, () => awaitPicture(sellerId, id, until));
    form.delete(name);
    if (!picture) return;
    const field = fieldOf(name);
    if (picture.url) form.set(field, picture.url);
    else if (picture.state === "failed") errors.set(field, [picture.message!]);
    else {
      form.set(name, id);
      errors.set(field, [picture.state === "sending" ? STILL_COMING : STILL_PREPARED]);
    }
  }

  async function collectError<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const message = error.kind === "not-found" ? NO_LONGER_THERE : error.message;
      errors.set(fieldOf(name), [message]);
      return null;
    }
  }
}

const STILL_COMING = "A imagem ainda está chegando. Espere o envio terminar e salve de novo.";
const STILL_PREPARED =
  "A imagem ainda está sendo preparada. Salve de novo em alguns segundos: o resto está como você deixou.";
const NO_LONGER_THERE = "A imagem enviada não existe mais: envie-a de novo";

async function awaitPicture(sellerId: string, id: string, until: number): Promise<PictureAnswer> {
  for (;;) {
    const picture = toPictureJson(await findPicture(sellerId, id));
    if (picture.state !== "preparing" || Date.now() > until) return picture;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
}

function fieldOf(name: string): string {
  return name.replace(/_file$/, "");
}

function pictureUseOf(name: string): PictureUse {
  return USES.find(([pattern]) => pattern.test(name))?.[1] ?? "product";
}
