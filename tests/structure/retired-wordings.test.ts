import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Wordings shown to buyers and sellers that were replaced by better ones. */
const SENT_BACK = [
  "Continuar para a compra de",
  "enviados a Meta",
  "mandamos um e-mail",
  "Enviamos o acesso",
  "está reservado",
  "pode ser usado quando quiser",
  "Mudei de ideia",
  "Número da transação",
  "Avisaremos aqui",
  "os 1 anteriores",
  "não têm palavra para todos",
  "Não há na Kiwify",
  "Diga a quem veiculou",
  "Ligar área",
  "Onde Mais Param",
  "Trazido por Lembretes",
  "O que abre a sua conta",
  "recebe a resposta por e-mail",
  "Chave API do Resend",
  "E-mail da compra: devolvido",
  "livre é de",
  "quando um pagamento falha",
];

test("no replaced wording is used again", () => {
  const found = globSync("app/**/*.{ts,tsx}").flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return SENT_BACK.filter((wording) => text.includes(wording)).map((wording) => `${file}: ${wording}`);
  });
  expect(found).toEqual([]);
});

/** How notes that are not in the repository were cited, by their sections: no reader can open them. */
const CITED_NOTES = /\bcontracts(-\d)?(\.md|,? (section )?([a-d]\.)?\d)|\bspec (§|\d)|\bthe spec's\b/;

test("no source, document or test cites a page that is not in the repository", () => {
  const files = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
  // The tables before 1.0 stay as they were written.
  const texts = files.filter(
    (file) => /\.(ts|tsx|js|md|css|sql|ya?ml)$/.test(file) && !/old-schema/.test(file),
  );
  expect(texts.length).toBeGreaterThan(1_500);
  const found = texts.flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const cited = [...text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([path]) => path);
    return CITED_NOTES.test(text) || !cited.every((path) => existsSync(path)) ? [file] : [];
  });
  expect(found).toEqual([]);
});
