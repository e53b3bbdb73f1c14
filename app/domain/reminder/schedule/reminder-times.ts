/** How many reminders an unpaid PIX may have. */
export const MAX_REMINDERS = 3;

/** The choices of a seller, in minutes after the PIX was created. */
export const REMINDER_CHOICES: { minutes: number; label: string }[] = [
  { minutes: 15, label: "15 minutos" },
  { minutes: 30, label: "30 minutos" },
  { minutes: 60, label: "1 hora" },
  { minutes: 120, label: "2 horas" },
  { minutes: 360, label: "6 horas" },
  { minutes: 720, label: "12 horas" },
  { minutes: 1440, label: "24 horas" },
  { minutes: 2880, label: "48 horas" },
  { minutes: 4320, label: "72 horas" },
];
