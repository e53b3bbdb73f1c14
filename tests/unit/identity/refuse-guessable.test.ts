import { expect, test } from "vitest";
import { refuseGuessablePassword } from "#app/domain/identity/refuse-guessable.server.ts";

test.each([
  ...["12345678", "password", "        ", "senha123", "brasil123", "1q2w3e4r", "mariamaria", "corinthians"],
  ...["qwerty12", "01/02/1990", "a".repeat(200), "minhasenha"],
])("%j is easy to guess, and refused with advice", async (password) => {
  await expect(refuseGuessablePassword(password, [])).rejects.toMatchObject({
    kind: "invalid",
    field: "password",
  });
});

test.each(["uma senha comprida", "Xk9#mQ2v", "meu cachorro late", "senha-nova-22"])(
  "%j is accepted",
  async (password) => expect(await refuseGuessablePassword(password, [])).toBeUndefined(),
);

test("neither one's own name nor address is a password", async () => {
  const known = ["Vera Vendedora", "vera.vendedora@exemplo.com.br"];
  for (const password of ["vera.vendedora", "vera.vendedora@exemplo.com.br"])
    await expect(refuseGuessablePassword(password, known)).rejects.toMatchObject({ field: "password" });
});
