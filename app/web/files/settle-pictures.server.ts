import { takePart } from "#app/domain/content/take-part.server.ts";
import { beginPicture } from "#app/domain/picture/begin-picture.server.ts";
import { findPicture } from "#app/domain/picture/find-picture.server.ts";
import { pictureJson, type SentPicture } from "#app/domain/picture/picture-json.server.ts";
import { SECOND } from "#app/kit/duration.ts";
import type { PicturePlace } from "#app/kit/files/pictures.ts";
import { Refusal } from "#app/kit/refusal.ts";
import { throttle } from "#app/web/limits/throttle.server.ts";

/** How long a form that is being saved waits for its pictures: longer than preparing one takes. */
const PATIENCE = 8 * SECOND;
const LOOKS = 150;

/** A picture's field, alone or in a row, and what its file is sent as: `image_url`, `orderBumps[0].image_url_file`. */
const FILE_OF =
  /^(?:(?:orderBumps|upsells)\[\d{1,3}\]\.)?(?:image_url|banner_image_url|brand_logo_url|logo_url)_file$/;

/** Where the picture of a field stands, by what its name tells; a product's else. */
const PLACES: [told: RegExp, place: PicturePlace][] = [
  [/^orderBumps/, "bump"],
  [/^upsells/, "offer"],
  [/^banner/, "banner"],
  [/logo_url/, "logo"],
];

/**
 * Puts the pictures that came with a form, or were sent before it and named in it, into their fields as addresses, and takes
 * them out of `form`. Waits for those that are being prepared: nothing that is not ready is ever saved.
 * @returns what is wrong with which field: of a picture that is not ready yet the form keeps the id
 */
export async function settlePictures(
  request: Request,
  sellerId: string,
  form: FormData,
  files: Map<string, File>,
): Promise<Record<string, string[]>> {
  const until = Date.now() + PATIENCE;
  const errors = new Map<string, string[]>();
  const names = new Set([...form.keys(), ...files.keys()].filter((name) => FILE_OF.test(name)));
  const sent: { name: string; id: string | null }[] = [];
  // One after the other: a seller sends few files at once.
  for (const name of names) sent.push({ name, id: await begun(name) });
  for (const { name, id } of sent) if (id) await settle(name, id);
  return Object.fromEntries(errors);

  async function begun(name: string): Promise<string | null> {
    const file = files.get(name);
    if (!file) return String(form.get(name)) || null;
    return orWrong(name, async () => {
      await throttle("announce-picture", request, sellerId);
      const id = await beginPicture(sellerId, { place: placeOf(name), name: file.name, size: file.size });
      const body = () => file.stream() as unknown as AsyncIterable<Uint8Array>;
      await takePart(sellerId, id, { offset: 0, length: file.size }, body);
      return id;
    });
  }

  async function settle(name: string, id: string): Promise<void> {
    const picture = await orWrong(name, () => awaitPicture(sellerId, id, until));
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

  async function orWrong<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const said = error.kind === "not-found" ? NO_LONGER : error.message;
      errors.set(fieldOf(name), [said]);
      return null;
    }
  }
}

const STILL_COMING = "A imagem ainda está chegando. Espere o envio terminar e salve de novo.";
const STILL_PREPARED =
  "A imagem ainda está sendo preparada. Salve de novo em alguns segundos: o resto está como você deixou.";
const NO_LONGER = "A imagem enviada não existe mais: envie-a de novo";

async function awaitPicture(sellerId: string, id: string, until: number): Promise<SentPicture> {
  for (;;) {
    const picture = pictureJson(await findPicture(sellerId, id));
    if (picture.state !== "preparing" || Date.now() > until) return picture;
    await new Promise((later) => setTimeout(later, LOOKS));
  }
}

function fieldOf(name: string): string {
  return name.replace(/_file$/, "");
}

function placeOf(name: string): PicturePlace {
  return PLACES.find(([told]) => told.test(name))?.[1] ?? "product";
}
