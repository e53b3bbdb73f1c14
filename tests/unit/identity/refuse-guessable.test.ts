import { expect, test } from "vitest";
import { refuseGuessable } from "#app/domain/identity/refuse-guessable.server.ts";

test.each([
  ...["12345678", "password", "        ", "senha123", "brasil123", "1q2w3e4r", "mariamaria", "corinthians"],
  ...["qwerty12", "01/02/1990", "a".repeat(200), "minhasenha"],
])("%j is guessed at once, and refused with what to do", async (password) => {
  await expect(refuseGuessable(password)).rejects.toMatchObject({ kind: "invalid", field: "password" });
});

test.each(["uma senha comprida", "Xk9#mQ2v", "meu cachorro late", "senha-nova-22"])(
  "%j is taken",
  async (password) => expect(await refuseGuessable(password)).toBeUndefined(),
);

test("neither one's own name nor address is a password", async () => {
  const known = ["Vera Vendedora", "vera.vendedora@exemplo.com.br"];
  for (const password of ["vera.vendedora", "vera.vendedora@exemplo.com.br"])
    await expect(refuseGuessable(password, known)).rejects.toMatchObject({ field: "password" });
});
