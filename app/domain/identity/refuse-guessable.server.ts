import { Refusal } from "#app/kit/refusal.ts";

/** zxcvbn's score, 0 to 4, of what takes at least a million guesses. */
const ENOUGH = 2;
/** Longer ones are judged by their beginning: what it costs grows with the length. */
const JUDGED = 100;

/**
 * Refuses a new password that is among those tried first: common ones, words, names and dates in Portuguese and English, keys
 * in a row, and what is `known` about its owner.
 * @throws Refusal invalid (`password`)
 */
export async function refuseGuessable(password: string, known: string[] = []): Promise<void> {
  judge ??= load();
  const parts = known.flatMap((text) => [text, ...text.split("@"), ...text.split(/[\s@.]+/)]);
  const { score } = (await judge).check(password.slice(0, JUDGED), parts);
  if (score >= ENOUGH) return;
  throw new Refusal(
    "invalid",
    "Esta senha é fácil de adivinhar. Junte três ou quatro palavras que só você juntaria.",
    "password",
  );
}

let judge: ReturnType<typeof load> | undefined;

/** The lists take 20 MB: a process that sees no new password reads none. */
async function load() {
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
