import { hash, verify } from "@node-rs/argon2";

/** argon2id with the library's parameters (19 MiB, 2 passes), as OWASP advises. */
export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

let decoy: Promise<string> | undefined;

/** Whether the password is the one hashed. An account without one costs the same time and is always no. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hash("no password is this long and this useless");
  const right = await verify(passwordHash ?? (await decoy), password);
  return right && passwordHash !== null;
}
