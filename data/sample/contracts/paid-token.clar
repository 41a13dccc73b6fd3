;; A SIP-010 token whose deploy paid STX, which a virtual machine without the chain's state cannot repeat.
(impl-trait .sip-010-trait.sip-010-trait)
(define-fungible-token paid)
(define-data-var symbol (string-ascii 8) "?")
(define-data-var token-uri (optional (string-utf8 512)) (some u"data:;base64,eyJuYW1lIjoiUGFpZCBUb2tlbiIsImltYWdlVXJsIjoiaHR0cHM6Ly9leGFtcGxlLm9yZy97aWR9LnBuZyIsInNpcCI6MTYsfQ=="))

(define-read-only (get-name) (ok "Paid Token"))
(define-read-only (get-symbol) (ok (var-get symbol)))
(define-read-only (get-decimals) (ok u8))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance paid who)))
(define-read-only (get-total-supply) (ok (ft-get-supply paid)))
(define-read-only (get-token-uri) (ok (var-get token-uri)))

(define-public (transfer (amount uint) (sender principal) (recipient principal) (memo (optional (buff 34))))
  (begin
    (asserts! (is-eq tx-sender sender) (err u401))
    (ft-transfer? paid amount sender recipient)))

(var-set symbol "PAID")
(unwrap-panic (stx-transfer? u1000 tx-sender .press-token))
(ft-mint? paid u500 tx-sender)
