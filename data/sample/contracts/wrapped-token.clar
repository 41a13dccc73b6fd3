;; A SIP-010 token that computes its name and decimals, has a public getter, and answers its supply with an error.
(define-constant ERR-TRANSFER-FAILED (err u6004))
(define-fungible-token wrapped)
(define-data-var decimals uint (- u9 u1))
(define-data-var base-name (string-ascii 16) "Token")

(define-public (get-name) (ok (concat "Wrapped " (var-get base-name))))
(define-read-only (get-symbol) (ok "WTOK"))
(define-read-only (get-decimals) (ok (var-get decimals)))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance wrapped who)))
(define-read-only (get-total-supply) (if true ERR-TRANSFER-FAILED (ok u0)))
(define-read-only (get-token-uri) (ok (some u"<link to token-uri>")))

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) (err u401))
    (ft-transfer? wrapped amount sender recipient)))
