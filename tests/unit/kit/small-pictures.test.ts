import { expect, test } from "vitest";
import type { PictureRow } from "#app/domain/picture/find-picture.server.ts";
import { toPictureJson } from "#app/domain/picture/picture-json.server.ts";
import { PICTURE_USES } from "#app/kit/files/pictures.ts";

function ready(fields: Partial<PictureRow>): PictureRow {
  const row = {
    id: "1",
    failure: null,
    readyAt: new Date(),
    scheduledAt: null,
    key: "a".repeat(32),
    isAnimated: false,
  };
  return { ...row, variants: [], isOpaque: true, ...fields } as unknown as PictureRow;
}

test("a picture of 10 × 10 is accepted with a warning for every use", () => {
  for (const use of PICTURE_USES)
    expect(toPictureJson(ready({ use, width: 10, height: 10 })).message).toMatch(
      /^A imagem tem só 10 × 10 pontos e vai aparecer borrada\. O ideal é \d+ × \d+\.$/,
    );
});

test("one of the displayed size has no warning, and an animated small one has both", () => {
  expect(toPictureJson(ready({ use: "product", width: 300, height: 300 })).message).toBeNull();
  expect(toPictureJson(ready({ use: "logo", width: 360, height: 20 })).message).toBeNull();
  expect(toPictureJson(ready({ use: "product", width: 10, height: 10, isAnimated: true })).message).toMatch(
    /^A imagem era animada: .* A imagem tem só 10 × 10/,
  );
});
