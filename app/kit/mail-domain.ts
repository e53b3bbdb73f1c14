const KNOWN =
  "gmail.com mail.com ymail.com me.com msn.com globo.com ig.com.br proton.me hotmail.com outlook.com yahoo.com.br yahoo.com icloud.com live.com uol.com.br bol.com.br terra.com.br hotmail.com.br outlook.com.br".split(
    " ",
  );

/** Characters: no known domain with two slips in it is longer. */
const LONGEST = Math.max(...KNOWN.map(({ length }) => length)) + 2;

/** The well-known mail domain that a mistyped one is one or two slips away from: `gmial.com` → `gmail.com`; null for any other. */
function nearMailDomain(domain: string): string | null {
  const typed = domain.toLowerCase();
  if (typed.length < 4 || typed.length > LONGEST || KNOWN.includes(typed)) return null;
  return KNOWN.find((known) => slips(typed, known) <= (known.length > 7 ? 2 : 1)) ?? null;
}

/** The address that was probably meant: `ana@gmial.com` → `ana@gmail.com`; null where nothing looks mistyped. */
export function likelyMail(email: string): string | null {
  const at = email.lastIndexOf("@");
  const near = nearMailDomain(email.slice(at + 1));
  return at > 0 && near ? email.slice(0, at + 1) + near : null;
}

/** Letters added, lost, changed or swapped between two words (optimal string alignment). */
function slips(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + changed,
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : 99,
      );
    }
  }
  return rows[a.length]![b.length]!;
}
