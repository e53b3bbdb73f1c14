import { withDatabase } from "#scripts/backup/with-database.ts";

/**
 * `npm run restore -- FILE [LIST]`: fills an empty database from a backup, and schedules everyone anonymized since for
 * anonymization again, according to the list beside it.
 */
const file = process.argv[2];
if (!file) {
  console.error("De que arquivo? npm run restore -- copia.gz");
  process.exit(2);
}
try {
  const { rows, madeAt, mailsEnded, deliveriesEnded, erased } = await withDatabase(async (url, secrets) => {
    const { readBackup } = await import("#scripts/backup/read-backup.ts");
    const { eraseAgain: eraseAnew, listBeside } = await import("#scripts/backup/erased-list.ts");
    const restored = await readBackup(url, secrets, file);
    return { ...restored, erased: await eraseAnew(url, secrets, process.argv[3] ?? listBeside(file)) };
  });
  console.log(`Restaurado de ${madeAt}: ${rows} linhas.`);
  if (mailsEnded + deliveriesEnded > 0)
    console.log(
      `${mailsEnded} e-mails e ${deliveriesEnded} avisos à UTMify, a webhooks e a pixels esperavam e podem já ter saído: não saem de novo sozinhos.`,
    );
  if (erased > 0) console.log(`Compradores apagados depois da cópia, que o worker apaga de novo: ${erased}.`);
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
