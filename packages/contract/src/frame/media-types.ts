export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const CSV_TYPE = 'text/csv; charset=utf-8';
