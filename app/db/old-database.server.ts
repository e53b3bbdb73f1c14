/** A database from before 1.0. */
export class OldDatabase extends Error {
  constructor() {
    super(
      "Este banco de dados é de antes da versão 1.0 e nada foi mudado nele: faça uma cópia com `npm run backup -- copia.gz` " +
        "no código antigo e restaure-a com `npm run restore -- copia.gz` neste, em um banco ou uma DATA_DIR que ainda não exista.",
    );
    this.name = "OldDatabase";
  }
}
