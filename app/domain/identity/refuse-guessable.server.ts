import { Refusal } from "#app/kit/refusal.ts";

/** zxcvbn's score (0 to 4) for passwords that take at least a million guesses. */
const MIN_SCORE = 2;
/** Longer ones are judged by their beginning: the cost grows with the length. */
const JUDGED_LENGTH = 100;

/**
 * Refuses a new password that is guessed early: common ones, Portuguese and English words, names, dates, keyboard rows,
 * and `ownerData`: the account's name and address.
 * @throws Refusal invalid (`password`)
 */
export async function refuseGuessablePassword(password: string, ownerData: string[]): Promise<void> {
  checker ??= loadChecker();
  const parts = ownerData.flatMap((text) => [text, ...text.split("@"), ...text.split(/[\s@.]+/)]);
  const { score } = (await checker).check(password.slice(0, JUDGED_LENGTH), parts);
  if (score >= MIN_SCORE) return;
  throw new Refusal(
    "invalid",
    "Esta senha é fácil de adivinhar. Junte três ou quatro palavras que só você juntaria.",
    "password",
  );
}

let checker: ReturnType<typeof loadChecker> | undefined;

/** The lists use 20 MB, so they are loaded at the first new password. */
async function loadChecker() {
  const [{ ZxcvbnFactory }, common, portuguese] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-pt-br"),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...portuguese.dictionary },
    graphs: common.adjacencyGraphs,
  });
}
