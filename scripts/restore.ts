import { listBeside, readErased } from "#scripts/backup/erased-list.ts";
import { exitWithFailure } from "#scripts/backup/exit-with-failure.ts";
import { withDatabase } from "#scripts/backup/with-database.ts";

/**
 * `npm run restore -- FILE [LIST]`: fills an empty database from a backup, and schedules everyone who was anonymized since, or
 * asked for it, for anonymization, according to the list beside it.
 */
const [, , file, named] = process.argv;
if (!file) {
  console.error("De que arquivo? npm run restore -- copia.gz");
  process.exit(2);
}
try {
  const list = named ?? listBeside(file);
  // Before anything is filled: a filled database takes no second restore, and the people in it are back.
  const known = await readErased(list);
  if (!known && named) throw new Error(`Não há lista ${named}. Nada foi restaurado.`);
  const fill = async (url: string, secrets: string[]) => {
    const { readBackup } = await import("#scripts/backup/read-backup.ts");
    return readBackup(url, secrets, file, known ?? new Map());
  };
  const { rows, madeAt, mailsEnded, deliveriesEnded, erased } = await withDatabase(fill, { mayBeNew: true });
  console.log(`Restaurado de ${madeAt}: ${rows} linhas.`);
  if (mailsEnded + deliveriesEnded > 0)
    console.log(
      `${mailsEnded} e-mails e ${deliveriesEnded} avisos à UTMify, a webhooks e a pixels esperavam e podem já ter saído: não saem de novo sozinhos.`,
    );
  console.log(
    "Vendedores e compradores precisam entrar de novo, e os links de senha, de confirmação e de Minhas compras já enviados não abrem mais.",
  );
  console.log(
    "Atenção: chaves de API revogadas e senhas trocadas depois da cópia estão como antes dela, e quem as tinha entra com elas. O que conferir: docs/operations.md, Backup and restore.",
  );
  if (!known)
    console.log(
      `Não há ${list}: quem foi apagado depois da cópia está de volta no banco, e quem pediu isso não é apagado. Se houver essa lista em outro lugar, restaure de novo em um banco vazio com npm run restore -- ${file} LISTA.`,
    );
  if (erased > 0)
    console.log(
      `Compradores que o worker apaga de novo, ou apaga porque pediram isso depois da cópia: ${erased}.`,
    );
  process.exit(0);
} catch (error) {
  exitWithFailure(error);
}
