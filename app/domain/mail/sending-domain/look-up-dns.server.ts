import { Resolver } from "node:dns/promises";
import { SECOND } from "#app/kit/duration.ts";

/** DNS values; an empty list where there are certainly none, null where the lookup failed. */
export type DnsValues = string[] | null;

const LOOKUP_TIMEOUT = 2.5 * SECOND;

/**
 * The TXT or CNAME values of a name, for the spam check; the domain's status at Resend is fetched by `checkDomain`. Never
 * throws: a DNS that does not answer is "not known", not "missing".
 */
export async function lookUpDns(name: string, type: "TXT" | "CNAME"): Promise<DnsValues> {
  // A resolver of its own, since `cancel` ends every lookup of one; its timeout is for each try.
  const resolver = new Resolver({ timeout: SECOND, tries: 2 });
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => {
      resolver.cancel();
      resolve(null);
    }, LOOKUP_TIMEOUT);
  });
  return Promise.race([resolveName(resolver, name, type), timeout]).finally(() => clearTimeout(timer));
}

async function resolveName(resolver: Resolver, name: string, type: "TXT" | "CNAME"): Promise<DnsValues> {
  try {
    if (type === "CNAME") return await resolver.resolveCname(name);
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    const { code } = error as { code?: string };
    return code === "ENOTFOUND" || code === "ENODATA" ? [] : null;
  }
}
