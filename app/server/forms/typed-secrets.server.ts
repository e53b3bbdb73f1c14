import { z } from "zod";
import { cleanPasted } from "#app/kit/pasted.ts";
import { isMask, isSameSecret, maskSecret, seal, unseal } from "#app/platform/secrets.server.ts";

type Reply = { initialValue?: Record<string, unknown> | null };

const typedSecrets = z.object({ sellerId: z.string(), secrets: z.array(z.tuple([z.string(), z.string()])) });

/**
 * A reply whose `fields` show masks of the secrets that were typed in `form`. The secrets are sealed beside them, so that a
 * page that was loaded anew sends them again.
 */
export function maskTypedSecrets<T extends Reply>(
  sellerId: string,
  result: T,
  form: FormData,
  fields: string[],
): T & { typedSecretsSealed?: string } {
  const secrets = fields.flatMap((field): [string, string][] => {
    const typed = cleanPasted(String(form.get(field) ?? ""));
    return typed === "" || isMask(typed) ? [] : [[field, typed]];
  });
  if (secrets.length === 0) return result;
  const masks = Object.fromEntries(secrets.map(([field, typed]) => [field, maskSecret(typed)]));
  return {
    ...result,
    initialValue: { ...result.initialValue, ...masks },
    typedSecretsSealed: seal(JSON.stringify({ sellerId, secrets })),
  };
}

/** The same for one field; where the saved secret was left, it shows the mask of the one that is saved now. */
export async function maskSecretField<T extends Reply>(
  sellerId: string,
  result: T,
  form: FormData,
  { field, mask }: { field: string; mask: () => Promise<string> },
): Promise<T & { typedSecretsSealed?: string }> {
  const isLeft = !form.has(field) || isMask(String(form.get(field)));
  const saved = isLeft ? { [field]: await mask() } : {};
  const shown = { ...result, initialValue: { ...result.initialValue, ...saved } };
  return maskTypedSecrets(sellerId, shown, form, [field]);
}

/** The posted form, with the sealed secrets in the fields that still hold their masks. */
export function withTypedSecrets(sellerId: string, form: FormData): FormData {
  const sealed = form.get("typed_secrets");
  form.delete("typed_secrets");
  for (const [field, typed] of typeof sealed === "string" ? openSecrets(sellerId, sealed) : [])
    if (isSameSecret(maskSecret(typed), String(form.get(field) ?? ""))) form.set(field, typed);
  return form;
}

function openSecrets(sellerId: string, sealed: string): [string, string][] {
  try {
    const { data } = typedSecrets.safeParse(JSON.parse(unseal(sealed)));
    return data?.sellerId === sellerId ? data.secrets : [];
  } catch {
    return [];
  }
}
