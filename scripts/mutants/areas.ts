import { globSync } from "node:fs";

/** The critical areas to put faults into, with their files. */
export const AREAS = {
  money: [
    "app/domain/{settlement,refund,charge}/**/*.server.ts",
    "app/domain/sale/*.ts",
    "app/domain/sale/dispute/*.ts",
    "app/domain/order/*.ts",
    "app/domain/reports/**/*.ts",
    "app/kit/money.ts",
  ],
  isolation: [
    "app/domain/catalog/*.server.ts",
    "app/domain/content/*.server.ts",
    "app/domain/identity/access/*.ts",
    "app/server/session/{guards,refuse-cross-site}.server.ts",
    "app/db/{version,conditions}.server.ts",
  ],
  grants: ["app/domain/access/**/*.ts", "app/domain/buyer/*.ts", "app/domain/sale/purchase-key.server.ts"],
  deliveries: [
    "app/domain/delivery/*.ts",
    "app/domain/delivery/{sending,webhook,pixel,member-area,utmify}/*.ts",
    "app/domain/mail/{queue,sending}/*.ts",
  ],
  erasure: ["app/domain/erasure/*.server.ts"],
  sealing: [
    "app/platform/secrets.server.ts",
    "app/domain/maintenance/reseal*.ts",
    "app/domain/gateway/*.server.ts",
  ],
  "rate-limits": [
    "app/server/limits/*.ts",
    "app/domain/order/*limit*.ts",
    "app/domain/mail/sending/senders/reserve-slot.server.ts",
    "app/db/limits.server.ts",
    "app/platform/{concurrency-limiter,{fair-queue,take-turn}.server}.ts",
  ],
  migrations: [
    "app/db/{migrate,newest-migration,ready,checks}.server.ts",
    "scripts/{migrate,prepare-database}.ts",
  ],
  caching: [
    "app/domain/storefront/*.server.ts",
    "app/server/files/*.ts",
    "app/server/pages/*.ts",
    "app/db/listen.server.ts",
  ],
} as const satisfies Record<string, readonly string[]>;

export type Area = keyof typeof AREAS;

/** Tests that cover a whole area, whichever of its files has the fault. */
export const WHOLE: Partial<Record<string, string[]>> = {
  money: [
    "tests/integration/histories/histories.test.ts",
    "tests/integration/scenarios/scenarios.test.ts",
    "tests/integration/deliveries/part-refund.test.ts",
  ],
  isolation: [
    "tests/integration/isolation.test.ts",
    "tests/structure/seller-keys.test.ts",
    "tests/integration/identity/two-accounts.test.ts",
  ],
  grants: ["tests/integration/isolation.test.ts", "tests/integration/files/downloads.test.ts"],
  erasure: ["tests/integration/erasure/buyer.test.ts", "tests/integration/erasure/seller.test.ts"],
  "rate-limits": [
    "tests/integration/identity/throttle.test.ts",
    "tests/integration/orders/unpaid-limit.test.ts",
  ],
  migrations: [
    "tests/integration/database/migrate.test.ts",
    "tests/integration/database/migrate-under-traffic.test.ts",
    "tests/integration/database/old-database.test.ts",
  ],
};

/** The files of an area. Paths are relative to the repository. */
export function filesOf(area: Area): string[] {
  return AREAS[area].flatMap((pattern) => globSync(pattern)).sort();
}
