// The AWS SDK for Go against an endpoint: it signs, and verifies with Go's own libraries.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	ctx := context.Background()
	client := kms.New(kms.Options{
		BaseEndpoint: aws.String(os.Args[1]),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("AKID", os.Args[2], ""),
	})
	keys, err := client.ListKeys(ctx, &kms.ListKeysInput{})
	check(err)
	message := []byte("hello from Go")
	digest := sha256.Sum256(message)
	for _, entry := range keys.Keys {
		public, err := client.GetPublicKey(ctx, &kms.GetPublicKeyInput{KeyId: entry.KeyArn})
		check(err)
		key, err := x509.ParsePKIXPublicKey(public.PublicKey)
		check(err)
		switch key := key.(type) {
		case *ecdsa.PublicKey:
			input := kms.SignInput{
				KeyId: entry.KeyId, Message: message, MessageType: types.MessageTypeRaw,
				SigningAlgorithm: types.SigningAlgorithmSpecEcdsaSha256,
			}
			made, err := client.Sign(ctx, &input)
			check(err)
			if !ecdsa.VerifyASN1(key, digest[:], made.Signature) {
				check(errors.New("the signature of ECDSA does not verify"))
			}
			fmt.Println("ecdsa")
			input.Message, input.MessageType = digest[:], types.MessageTypeDigest
			made, err = client.Sign(ctx, &input)
			check(err)
			if !ecdsa.VerifyASN1(key, digest[:], made.Signature) {
				check(errors.New("the signature of the digest does not verify"))
			}
			fmt.Println("digest")
		case ed25519.PublicKey:
			made, err := client.Sign(ctx, &kms.SignInput{
				KeyId: entry.KeyId, Message: message, SigningAlgorithm: types.SigningAlgorithmSpecEd25519Sha512,
			})
			var usage *types.InvalidKeyUsageException
			if errors.As(err, &usage) {
				fmt.Println("refused", usage.ErrorMessage())
				continue
			}
			check(err)
			if !ed25519.Verify(key, message, made.Signature) {
				check(errors.New("the signature of Ed25519 does not verify"))
			}
			fmt.Println("ed25519")
		}
	}
	_, err = client.DescribeKey(ctx, &kms.DescribeKeyInput{KeyId: aws.String("alias/none")})
	var missing *types.NotFoundException
	if !errors.As(err, &missing) {
		check(fmt.Errorf("expected NotFoundException, got %v", err))
	}
	fmt.Println("not found")
}
