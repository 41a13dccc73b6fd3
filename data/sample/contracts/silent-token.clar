;; A SIP-010 token none of whose getters gives a value.
(impl-trait .sip-010-trait.sip-010-trait)
(define-constant ERR-SILENT (err u404))
(define-fungible-token silent)

(define-read-only (get-name) (if true ERR-SILENT (ok "")))
(define-read-only (get-symbol) (if true ERR-SILENT (ok "")))
(define-read-only (get-decimals) (if true ERR-SILENT (ok u0)))
(define-read-only (get-balance (who principal)) (if true ERR-SILENT (ok u0)))
(define-read-only (get-total-supply) (if true ERR-SILENT (ok u0)))
(define-read-only (get-token-uri) (if true ERR-SILENT (ok none)))

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34)))) ERR-SILENT)
