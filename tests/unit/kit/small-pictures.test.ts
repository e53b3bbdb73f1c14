import { expect, test } from "vitest";
import type { PictureRow } from "#app/domain/picture/find-picture.server.ts";
import { pictureJson } from "#app/domain/picture/picture-json.server.ts";
import { PICTURE_PLACES } from "#app/kit/files/pictures.ts";

function ready(fields: Partial<PictureRow>): PictureRow {
  const row = {
    id: "1",
    failure: null,
    readyAt: new Date(),
    dueAt: null,
    key: "a".repeat(32),
    isAnimated: false,
  };
  return { ...row, variants: [], isOpaque: true, ...fields } as unknown as PictureRow;
}

test("a picture of 10 × 10 is taken with a warning at every place", () => {
  for (const place of PICTURE_PLACES)
    expect(pictureJson(ready({ place, width: 10, height: 10 })).message).toMatch(
      /^A imagem tem só 10 × 10 pontos e vai aparecer borrada\. O ideal é \d+ × \d+\.$/,
    );
});

test("one that is as large as it shows is not warned of, and an animated small one says both", () => {
  expect(pictureJson(ready({ place: "product", width: 300, height: 300 })).message).toBeNull();
  expect(pictureJson(ready({ place: "logo", width: 360, height: 20 })).message).toBeNull();
  expect(pictureJson(ready({ place: "product", width: 10, height: 10, isAnimated: true })).message).toMatch(
    /^A imagem era animada: .* A imagem tem só 10 × 10/,
  );
});
