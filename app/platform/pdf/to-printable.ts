/** Letters that Unicode does not decompose into a base letter and a mark, and the minus sign. */
const LETTER_FALLBACKS = new Map(
  Object.entries({ ł: "l", Ł: "L", đ: "d", Đ: "D", ı: "i", ħ: "h", Ħ: "H", ŋ: "n", Ŋ: "N", "−": "-" }),
);

/**
 * A text in the letters that a font has. Missing letters lose their marks (`ő` becomes `o`); letters of other scripts
 * are removed with the blanks around them.
 */
export function toPrintable(text: string, has: (codePoint: number) => boolean): string {
  // Fonts have no line breaks: they become blanks.
  const letters = [...text.normalize("NFC").replace(/\s/g, " ")].flatMap((letter) => {
    if (has(letter.codePointAt(0)!)) return letter;
    const parts = [...letter.normalize("NFKD")].map((part) => LETTER_FALLBACKS.get(part) ?? part);
    return parts.filter((part) => has(part.codePointAt(0)!));
  });
  return letters.join("").replace(/\s+/g, " ").trim();
}
