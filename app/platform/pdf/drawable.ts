/** Letters that do not come apart into one of ours and a mark. */
const NEAR = new Map(
  Object.entries({ ł: "l", Ł: "L", đ: "d", Đ: "D", ı: "i", ħ: "h", Ħ: "H", ŋ: "n", Ŋ: "N" }),
);

/**
 * A text in the letters that a font has. What it lacks loses its marks (`ő` is `o`); letters of other scripts are left out,
 * and the blanks around them.
 */
export function drawable(text: string, has: (codePoint: number) => boolean): string {
  // Fonts have no line breaks: they are blanks like the others.
  const letters = [...text.normalize("NFC").replace(/\s/g, " ")].flatMap((letter) => {
    if (has(letter.codePointAt(0)!)) return letter;
    const parts = [...letter.normalize("NFKD")].map((part) => NEAR.get(part) ?? part);
    return parts.filter((part) => has(part.codePointAt(0)!));
  });
  return letters.join("").replace(/\s+/g, " ").trim();
}
