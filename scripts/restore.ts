import { withDatabase } from "#scripts/backup/with-database.ts";

/** `npm run restore -- FILE`: fills an empty database from a backup. */
const file = process.argv[2];
if (!file) {
  console.error("De que arquivo? npm run restore -- copia.gz");
  process.exit(2);
}
try {
  const { rows, madeAt, mailsEnded, newsEnded } = await withDatabase(async (url, secrets) => {
    const { readBackup } = await import("#scripts/backup/read-backup.ts");
    return readBackup(url, secrets, file);
  });
  console.log(`Restaurado de ${madeAt}: ${rows} linhas.`);
  if (mailsEnded + newsEnded > 0)
    console.log(
      `${mailsEnded} e-mails e ${newsEnded} avisos à UTMify, a webhooks e a pixels esperavam e podem já ter saído: não saem de novo sozinhos.`,
    );
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
