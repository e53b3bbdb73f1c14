import type { Time } from "./time.ts";

/** What one e-mail may open at a member area, as that area keeps it. */
export interface Membership {
  service: "cademi" | "memberkit";
  /** Cademí's area; empty at MemberKit. */
  area: string;
  email: string;
  name: string;
  /** Cademí: our code of the product; MemberKit: the class. */
  item: string;
  isOpen: boolean;
  /** How often it was told, copies included. */
  told: number;
  at: string;
  /** As it came last, without the key. */
  body: unknown;
}

export type Memberships = ReturnType<typeof createMemberships>;

const KEPT = 5000;

export function createMemberships(time: Time) {
  let all: Membership[] = [];
  return {
    /** The same e-mail and item again is the same membership, with its newest state. */
    take(one: Omit<Membership, "told" | "at">) {
      const isSame = (other: Membership) =>
        other.service === one.service &&
        other.area === one.area &&
        other.email === one.email &&
        other.item === one.item;
      const told = (all.find(isSame)?.told ?? 0) + 1;
      const at = new Date(time.now()).toISOString();
      all = [...all.filter((other) => !isSame(other)), { ...one, told, at }].slice(-KEPT);
    },
    /** In the order in which they were told of last. */
    list: (email?: string) => all.filter((one) => email === undefined || one.email === email),
    reset() {
      all = [];
    },
  };
}
