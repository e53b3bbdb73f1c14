import { Resolver } from "node:dns/promises";
import { SECOND } from "#app/kit/duration.ts";

/** What the DNS says: values, an empty list where there is certainly none, null where it could not be asked. */
export type Looked = string[] | null;

const TIME_LIMIT = 2.5 * SECOND;

/** The TXT and CNAME values of a name. Never throws: a DNS that does not answer is "not known", not "missing". */
export async function lookUp(name: string, type: "TXT" | "CNAME"): Promise<Looked> {
  const resolver = new Resolver({ timeout: SECOND, tries: 2 });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      resolver.cancel();
      resolve(null);
    }, TIME_LIMIT);
  });
  return Promise.race([ask(resolver, name, type), late]).finally(() => clearTimeout(timer));
}

async function ask(resolver: Resolver, name: string, type: "TXT" | "CNAME"): Promise<Looked> {
  try {
    if (type === "CNAME") return await resolver.resolveCname(name);
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    const { code } = error as { code?: string };
    return code === "ENOTFOUND" || code === "ENODATA" ? [] : null;
  }
}
