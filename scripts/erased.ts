import { exitWithFailure } from "#scripts/backup/exit-with-failure.ts";
import { withDatabase } from "#scripts/backup/with-database.ts";

/**
 * `npm run erased -- FILE`: adds the anonymized purchases, and those whose buyers asked for it, to a list beside the backups;
 * to be scheduled every few minutes.
 */
const file = process.argv[2];
if (!file) {
  console.error("Em que lista? npm run erased -- erased.list");
  process.exit(2);
}
try {
  const { writeErased } = await import("#scripts/backup/erased-list.ts");
  const many = await withDatabase((url, secrets) => writeErased(url, secrets, file));
  console.log(`${file}: ${many} registros: compras apagadas, ou cujo comprador pediu que fossem.`);
  process.exit(0);
} catch (error) {
  exitWithFailure(error);
}
